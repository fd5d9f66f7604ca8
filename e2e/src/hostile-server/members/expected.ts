import { COMPANY_ANSWERS } from './expected-company.ts'
import { PERSON_ANSWERS } from './expected-person.ts'
import type { Expected } from './listed.ts'

export const EXPECTED: Readonly<Record<string, Expected>> = { ...PERSON_ANSWERS, ...COMPANY_ANSWERS }
