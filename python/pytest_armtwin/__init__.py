"""pytest fixtures for armtwin: `twin` for every test, `eva` when the arm's SDK is installed."""
from .twin import ApiError, Twin, TwinError

__all__ = ["ApiError", "Twin", "TwinError"]
