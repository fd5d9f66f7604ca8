import type { FlowFacts } from './random-elements.ts'

/** The names of every service of the model. */
export const FACTS: FlowFacts = {
  requestSlugs: ['nick', 'town'],
  deedSlug: 'deed',
  profileSlugs: ['company_name', 'vat_number'],
}

/** The company has a name and no VAT number in its profile. */
export const PROFILE: Readonly<Record<string, string>> = { company_name: 'Model Works' }
