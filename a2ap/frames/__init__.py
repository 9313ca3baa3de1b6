"""Answers as tables: the selection of a query becomes typed columns, and its rows a data frame of pandas or polars."""
