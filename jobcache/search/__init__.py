"""Searching the corpus: words (text, forms, vocabulary), what is asked (arguments, query, plan), how it is found
(index, statement, cursor), and the one door `service.search`."""
