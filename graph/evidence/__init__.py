"""Sources and their content: the bytes held, and the machine's comparison of cited passages with them."""
