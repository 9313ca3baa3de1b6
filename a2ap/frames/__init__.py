"""Answers as tables: what a query asks for becomes typed columns, and its rows a data frame of pandas or polars."""
