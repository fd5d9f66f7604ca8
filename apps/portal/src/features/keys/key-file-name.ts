/** From the name that the company chose: letters and digits only, so that it is a name of a file everywhere. */
export function keyFileName(service: string): string {
  const plain = service
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${plain === '' ? 'service' : plain}-key.pem`
}
