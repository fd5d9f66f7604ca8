/** The server that serves the page puts it there. */
export function readFrontDoorUrl(): string {
  const url = document.querySelector<HTMLMetaElement>('meta[name="front-door"]')?.content ?? ''
  return new URL(url).origin
}
