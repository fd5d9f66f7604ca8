/** `k` is in the fragment: no server is told which key the customer expects. */
export function connectLink(appUrl: string, code: string, fingerprint: string): string {
  const [company = '', service = ''] = code.split('/').map(encodeURIComponent)
  return new URL(`/connect/${company}/${service}#k=${fingerprint}`, appUrl).href
}
