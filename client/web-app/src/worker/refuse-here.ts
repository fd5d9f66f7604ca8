import { FailureError } from '@sealpost/ui/failure'

/** A refusal of the app itself; the page has words for the key. */
export function refuseHere(key: string): FailureError {
  return new FailureError({ kind: 'own', key })
}
