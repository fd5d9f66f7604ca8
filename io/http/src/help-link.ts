import type { ErrorKey } from '@sealpost/protocol'

/** The value of `Link` in a refusal: the entry of its key in the page about errors. */
export function helpLink(errorsUrl: string, key: ErrorKey): string {
  return `<${errorsUrl}#${key}>; rel="help"`
}
