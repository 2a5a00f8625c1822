"""The packaged synthetic corpus: hand-written inputs (`*.toml`), build (inputs → ads) and load (ads → database)."""
