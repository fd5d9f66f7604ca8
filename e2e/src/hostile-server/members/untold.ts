import type { Untold } from './listed.ts'
import { COMPANY_UNTOLD } from './untold-company.ts'
import { PERSON_UNTOLD } from './untold-person.ts'

export const UNTOLD: Untold = [...PERSON_UNTOLD, ...COMPANY_UNTOLD]
