import { type ApiError, refuse } from '@sealpost/protocol'

/** A member that has the right form and is still not right. */
export function wrongMember(path: string, message: string): ApiError {
  return refuse('request.invalid', { details: [{ path, message }] })
}

export function wrongCode(): ApiError {
  return wrongMember('/code', 'is wrong or no longer good; ask for a new one')
}
