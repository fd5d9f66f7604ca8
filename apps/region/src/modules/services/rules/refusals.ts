import { type ApiError, refuse } from '@sealpost/protocol'

export function invalidBody(path: string, message: string): ApiError {
  return refuse('request.invalid', { details: [{ path: `/body${path}`, message }] })
}
