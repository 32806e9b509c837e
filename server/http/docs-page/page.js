/**
 * Starts the page of the interface. A file of its own because the content-security policy lets no
 * script stand in the page; the validator that the library would ask on the internet is left out.
 */
const dark = window.matchMedia('(prefers-color-scheme: dark)');
function followTheme() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}
dark.addEventListener('change', followTheme);
followTheme();

window.SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#page',
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
