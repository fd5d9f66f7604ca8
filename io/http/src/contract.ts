import { type ErrorKey, gateErrors, type Operation } from '@sealpost/protocol'
import { compileInspection } from './validation.ts'

/**
 * [Note: strict contract] OpenAPI is printed from the operations, so an answer that its operation does not declare
 * makes the document wrong. Tests run with `strictContract`: such an answer becomes a 500 whose sentence names the
 * breach.
 */
export interface Contract {
  breachOfError(key: ErrorKey): string | null
  breachOfBody(body: unknown): string | null
}

export function contractOf(operation: Operation): Contract {
  const errors = promisedErrors(operation)
  const { body: schema } = operation.success
  const inspect = schema === undefined ? null : compileInspection(schema)
  return {
    breachOfError: (key) => (errors.has(key) ? null : `${operation.id} answered ${key}, which it does not declare`),
    breachOfBody: (body) => {
      const [fault] = inspect?.(body) ?? []
      return fault === undefined ? null : `${operation.id} answered a body whose ${fault.path || '/'} ${fault.message}`
    },
  }
}

export function promisedErrors(operation: Operation): ReadonlySet<ErrorKey> {
  return new Set<ErrorKey>([...operation.errors, ...gateErrors(operation)])
}
