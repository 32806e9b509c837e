/**
 * Starts the API documentation page. The content security policy forbids inline scripts; Swagger's
 * online validator is disabled.
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
