import type { FieldId } from '@sealpost/kernel'
import type { FieldUsertype } from '@sealpost/protocol'
import type { ContactField } from '../model.ts'

/**
 * The fields of every account. Values, mappings and business cards refer to a field by its id, so a number never changes
 * its field: new fields take the next number, and none is reused.
 */
export const platformFields: readonly ContactField[] = [
  platform(1, 'first_name', 'First name', 'text', 'person'),
  platform(2, 'last_name', 'Last name', 'text', 'person'),
  platform(3, 'email', 'Email', 'email', 'any'),
  platform(4, 'phone', 'Phone', 'phone', 'any'),
  platform(5, 'address', 'Address', 'address', 'any'),
  platform(6, 'date_of_birth', 'Date of birth', 'date_of_birth', 'person'),
  platform(7, 'place_of_birth', 'Place of birth', 'place_of_birth', 'person'),
  platform(8, 'gender', 'Gender', 'gender', 'person'),
  platform(9, 'nationality', 'Nationality', 'nationality', 'person'),
  platform(10, 'personal_number', 'Personal number', 'personal_number', 'person'),
  platform(11, 'photo', 'Photo', 'photo', 'person'),
  platform(12, 'passport', 'Passport', 'passport', 'person'),
  platform(13, 'id_card', 'Identity card', 'photo_id', 'person'),
  platform(14, 'drivers_license', "Driver's license", 'drivers_license', 'person'),
  platform(15, 'residence_permit', 'Residence permit', 'residence_permit', 'person'),
  platform(16, 'proof_of_address', 'Proof of address', 'document', 'person'),
  platform(17, 'bank', 'Bank account', 'bank', 'any'),
  platform(18, 'creditcard', 'Credit card', 'creditcard', 'any'),
  platform(19, 'website', 'Website', 'url', 'any'),
  platform(20, 'company_name', 'Company name', 'text', 'company'),
  platform(21, 'vat_number', 'VAT number', 'text', 'company'),
  platform(22, 'chamber_number', 'Chamber of commerce number', 'text', 'company'),
  platform(23, 'logo', 'Logo', 'photo', 'company'),
  platform(24, 'billing_address', 'Billing address', 'address', 'any'),
  platform(25, 'billing_email', 'Billing email', 'email', 'company'),
  platform(26, 'contact_person', 'Contact person', 'text', 'company'),
  platform(27, 'country_of_residence', 'Country of residence', 'country', 'person'),
  platform(28, 'company_country', 'Country of registration', 'country', 'company'),
  platform(29, 'company_registration', 'Company registration', 'pdf_document', 'company'),
]

const byId: ReadonlyMap<string, ContactField> = new Map(platformFields.map((field) => [field.id, field]))
const bySlug: ReadonlySet<string> = new Set(platformFields.map(({ slug }) => slug))

export function findPlatformField(id: FieldId): ContactField | null {
  return byId.get(id) ?? null
}

export function isPlatformSlug(slug: string): boolean {
  return bySlug.has(slug)
}

function platform(no: number, slug: string, label: string, type: string, usertype: FieldUsertype): ContactField {
  // Lower than every id that an account can get, so that platform fields sort first.
  const id = `018f0000-0000-7000-8000-${no.toString(16).padStart(12, '0')}`
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- makes these ids
  return { id: id as FieldId, slug, label, type, usertype, isSystem: true, owner: null }
}
