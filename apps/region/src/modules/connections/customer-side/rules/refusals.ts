import { type ApiError, refuse, refuseLargeFile } from '@sealpost/protocol'
import type { DecisionRefusal } from './decisions.ts'

export function invalid(path: string, message: string): ApiError {
  return refuse('request.invalid', { details: [{ path, message }] })
}

export function refuseDecisions(refusal: DecisionRefusal): ApiError {
  switch (refusal.kind) {
    case 'encryption_required':
      return refuse('contact_data.encryption_required')
    case 'source_changed':
      return refuse('company_connections.source_changed')
    case 'too_large':
      return refuseLargeFile(refusal.maxMb)
    case 'invalid':
      return refuse('request.invalid', { details: refusal.details })
  }
}

export function connectionNotFound(): ApiError {
  return refuse('company_data.connection_not_found')
}

export function alreadyConnected(): ApiError {
  return refuse('company_data.already_connected', undefined, { sentence: 'You are connected to this service already' })
}
