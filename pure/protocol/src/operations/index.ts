import type { Operation } from '../operation.ts'
import * as companyData from './company-data.ts'
import * as frontDoor from './front-door.ts'
import * as oauth from './oauth.ts'
import * as reference from './reference.ts'

/** Every route of the installation. A new operation appears by being exported from its file here. */
export const allOperations: readonly Operation[] = [companyData, frontDoor, oauth, reference].flatMap(operationsOf)

function operationsOf(file: Readonly<Record<string, unknown>>): readonly Operation[] {
  return Object.values(file).filter(isOperation)
}

/** Files of operations also export the schemas they are made of. */
function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'success' in value
}
