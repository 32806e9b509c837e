"""pytest fixtures for armtwin: `twin` for every test, `eva` when the arm's SDK is installed."""
from armtwin import ApiError, Situation, Twin, TwinError

__all__ = ["ApiError", "Situation", "Twin", "TwinError"]
