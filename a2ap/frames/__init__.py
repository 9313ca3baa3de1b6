"""Answers as tables: the selection of a query becomes typed columns, and its rows a data frame of pandas or polars.

Types come from the platform's schema, asked once by introspection, and for Cypher from the `kinds` of its answer: a
claim whose text is a date stays a text, and an empty answer has columns. An incomplete frame comes with a warning.
"""
