/** The server that serves the page puts it there. */
export function readFrontDoorUrl(): string {
  const url = document.querySelector<HTMLMetaElement>('meta[name="front-door"]')?.content ?? ''
  return new URL(url).origin
}

/** Where customers connect; null where the operator of the site has not said it. */
export function readPersonAppUrl(): string | null {
  const url = document.querySelector<HTMLMetaElement>('meta[name="person-app"]')?.content ?? ''
  return URL.canParse(url) ? new URL(url).origin : null
}
