/** The header X-Armtwin, which every reply of a server carries (D4). */
import type { IncomingHttpHeaders } from 'node:http';

export const BANNER = 'X-Armtwin';

/** The value of the header for a request; one that is malformed has no headers. */
export type Banner = (headers: IncomingHttpHeaders) => string;
