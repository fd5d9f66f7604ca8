import type { FieldEntry, FieldTypeRow } from './row.ts'

/** The rows that a new registry starts with. */
export const seedRows: readonly FieldTypeRow[] = [
  row('text', { input: 'line', lane: 'inline' }),
  row('email', { parent: 'text', validation: String.raw`[^\s@]+@[^\s@]+\.[^\s@]+` }),
  row('phone', { parent: 'text', input: 'phone' }),
  row('url', { parent: 'text', check: 'url' }),
  row('gender', { parent: 'text', input: 'list', options: ['Male', 'Female', 'Non-binary', 'Prefer not to say'] }),
  row('country', { parent: 'text', input: 'country' }),
  row('nationality', { parent: 'text', input: 'nationality' }),
  row('personal_number', { parent: 'text' }),
  row('place_of_birth', { parent: 'text' }),
  row('date', { parent: 'text', input: 'date' }),
  row('date_of_birth', { parent: 'date' }),

  row('number', { input: 'line', lane: 'inline', check: 'number' }),
  row('integer', { parent: 'number', check: 'integer' }),
  row('decimal', { parent: 'number', check: 'decimal' }),
  row('float', { parent: 'number', check: 'float' }),

  row('document', { input: 'file', lane: 'document' }),
  row('pdf_document', { parent: 'document', check: 'pdf' }),
  row('photo', { input: 'file', lane: 'photo' }),

  row('legal_document', {
    input: 'file',
    lane: 'document',
    fields: [entry('document_number'), entry('expiry_date', { input: 'date' })],
  }),
  row('proof_of_identity', {
    parent: 'legal_document',
    input: 'pages',
    fields: [
      entry('document_number'),
      entry('expiry_date', { input: 'date' }),
      entry('issuing_country', { input: 'country', required: true }),
    ],
  }),
  row('passport', { parent: 'proof_of_identity' }),
  row('photo_id', { parent: 'proof_of_identity' }),
  row('drivers_license', { parent: 'proof_of_identity' }),
  row('residence_permit', { parent: 'proof_of_identity' }),

  row('address', {
    input: 'composite',
    lane: 'inline',
    fields: [
      entry('street'),
      entry('building_number'),
      entry('affix'),
      entry('city'),
      entry('postal_code', { validation: '[A-Za-z0-9][A-Za-z0-9 -]{1,9}' }),
      entry('state', { input: 'state' }),
      entry('country', { input: 'country' }),
    ],
  }),
  row('creditcard', {
    input: 'composite',
    lane: 'inline',
    fields: [
      entry('number', { check: 'card' }),
      entry('expiry', { validation: String.raw`(0[1-9]|1[0-2])/\d{2}(\d{2})?` }),
      entry('cvc', { validation: String.raw`\d{3,4}` }),
      entry('name'),
    ],
  }),
  row('bank', {
    input: 'composite',
    lane: 'inline',
    fields: [
      entry('swift', { validation: '[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?' }),
      entry('routing_number', { validation: String.raw`\d{9}` }),
      entry('account_number', { validation: '[A-Za-z0-9 ]{4,34}' }),
      entry('account_holder'),
      entry('bank_name'),
    ],
  }),

  row('select', { input: 'list', lane: 'inline', options: [] }),
  row('multiselect', { input: 'multilist', lane: 'inline', options: [] }),
]

type Columns = Partial<Omit<FieldTypeRow, 'type' | 'label' | 'is_system'>>

function row(type: string, columns: Columns): FieldTypeRow {
  return {
    type,
    parent: null,
    label: `fieldtype_${type}`,
    input: null,
    lane: null,
    check: null,
    options: null,
    fields: null,
    validation: null,
    ...columns,
    is_system: true,
  }
}

function entry(key: string, members: Partial<Omit<FieldEntry, 'key'>> = {}): FieldEntry {
  return { key, input: 'line', required: false, check: null, validation: null, options: null, ...members }
}
