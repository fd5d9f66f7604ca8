import type { Dice } from '@sealpost/testkit/dice'

export type FieldKind = 'number' | 'date' | 'text' | 'choice' | 'many' | 'composite' | 'file'

/** Every type that a step may ask for, by the way in which it is answered. */
export const FIELD_TYPES = {
  number: ['number', 'integer', 'decimal', 'float'],
  date: ['date', 'date_of_birth'],
  text: ['text', 'email', 'phone', 'url', 'gender', 'country', 'nationality', 'personal_number', 'place_of_birth'],
  choice: ['select'],
  many: ['multiselect'],
  composite: ['address', 'creditcard', 'bank'],
  file: [
    'document',
    'pdf_document',
    'photo',
    'legal_document',
    'proof_of_identity',
    'passport',
    'photo_id',
    'drivers_license',
    'residence_permit',
  ],
} as const satisfies Record<FieldKind, readonly string[]>

const KINDS = Object.entries(FIELD_TYPES)

export function kindOf(fieldType: string): FieldKind {
  const found = KINDS.find(([, types]) => types.some((type) => type === fieldType))
  if (found === undefined) throw new Error(`the model knows no type ${fieldType}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of the table above
  return found[0] as FieldKind
}

/** Few, so that conditions hold now and then. */
export const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember'] as const
export const DATES = ['1999-12-31', '2024-02-29', '2026-01-01', '2026-03-01', '2031-07-15'] as const

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  text: WORDS,
  email: ['ana@mail.example', 'bo@mail.example'],
  phone: ['+31612345678', '+1 (234) 56-7.8'],
  url: ['https://example.com', 'example.com/a?b#c'],
  gender: ['Male', 'Female', 'Non-binary', 'Prefer not to say'],
  country: ['NL', 'SE', 'ZW'],
  nationality: ['NL', 'CW'],
  personal_number: ['19900101-1234', 'A 12'],
  place_of_birth: ['Utrecht, NL', 'a village near the sea'],
}

const COMPOSITES: Readonly<Record<string, readonly object[]>> = {
  address: [
    { street: 'Lange Gracht', building_number: '7', city: 'Utrecht', postal_code: '3511 AB', country: 'NL' },
    { state: 'CA' },
  ],
  creditcard: [{ number: '4111111111111111', expiry: '07/31', cvc: '123', name: 'A. Gil' }],
  bank: [{ swift: 'ABNANL2A', account_number: 'NL91ABNA0417164300', account_holder: 'A. Gil' }],
}

/** A valid answer to a field without options. */
export function randomText(dice: Dice, fieldType: string): string {
  switch (kindOf(fieldType)) {
    case 'number':
      return fieldType === 'integer' ? String(dice.below(140) - 20) : String((dice.below(560) - 80) / 4)
    case 'date':
      return dice.pick(DATES)
    case 'text':
    case 'choice':
    case 'many':
      return dice.pick(TEXTS[fieldType] ?? WORDS)
    case 'composite':
      return JSON.stringify(dice.pick(COMPOSITES[fieldType] ?? [{}]))
    case 'file':
      return JSON.stringify(randomFile(dice, fieldType))
  }
}

/** The envelope of a small file. */
function randomFile(dice: Dice, fieldType: string): object {
  const text = `%PDF-1.7 ${dice.text(12)}`
  const [mime, ending] = fieldType === 'pdf_document' ? ['application/pdf', 'pdf'] : ['image/png', 'png']
  const uri = `data:${mime};base64,${Buffer.from(text).toString('base64')}`
  const facts = { file: uri, original_name: `a.${ending}`, mime_type: mime, size: text.length }
  if (fieldType === 'photo') return { full: uri }
  if (fieldType === 'document' || fieldType === 'pdf_document') return facts
  if (fieldType === 'legal_document') return { ...facts, document_number: 'AB-1' }
  return { pages: [{ ...facts, label: 'front' }], issuing_country: 'NL' }
}
