/** The origin of a page that the arm under test may be configured to allow (CORS). */
export const ALLOWED_PAGE = 'https://page.armtwin.test';
