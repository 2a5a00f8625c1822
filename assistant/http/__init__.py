"""The assistant's addresses under /api/v1 (contract section 9). A view parses, calls the facade, renders."""
