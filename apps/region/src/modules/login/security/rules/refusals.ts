import { type ApiError, refuse } from '@sealpost/protocol'

/** Refuses a member that has the right form and a wrong value. */
export function wrongMember(path: string, message: string): ApiError {
  return refuse('request.invalid', { details: [{ path, message }] })
}

export function wrongCode(): ApiError {
  return wrongMember('/code', 'is wrong or has expired; request a new one')
}
