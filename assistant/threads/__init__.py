"""Threads and turns: their states, their durable events, their ends. No DRF, no Celery, no Channels."""
