"""armtwin from Python: a twin, its clock and its API. Needs the standard library alone, and Node."""
from .twin import ApiError, Situation, Twin, TwinError

__all__ = ["ApiError", "Situation", "Twin", "TwinError"]
