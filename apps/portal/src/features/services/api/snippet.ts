/** A shell program that runs as printed, with the secret from the environment: it must not be in a file of the page. */
export function snippetOf(frontDoorUrl: string, clientId: string): string {
  return `# CLIENT_SECRET is the secret that was shown once
TOKEN=$(curl -s -X POST '${quoted(frontDoorUrl)}/oauth2/token' \\
  -d grant_type=client_credentials \\
  -d 'client_id=${quoted(clientId)}' \\
  -d "client_secret=$CLIENT_SECRET")

curl -s "$(printf '%s' "$TOKEN" | sed -n 's/.*"api_url":"\\([^"]*\\)".*/\\1/p')/api/company-data/connections" \\
  -H "Authorization: Bearer $(printf '%s' "$TOKEN" | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')"`
}

/** A server that names another client id must not get its commands into a terminal. */
function quoted(text: string): string {
  return text.replaceAll(/[^\w.:/-]/g, '')
}
