"""Husk measured beside the tools it is compared with; ``./bench`` runs it, see README.md."""
