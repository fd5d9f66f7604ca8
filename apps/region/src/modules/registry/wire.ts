import type { FieldTypeRow } from '@sealpost/field-types'
import type { ContactField } from './model.ts'

export function typeToWire(row: FieldTypeRow) {
  const { options, fields } = row
  return {
    ...row,
    options: options === null ? null : [...options],
    fields: fields?.map((entry) => ({ ...entry, options: entry.options === null ? null : [...entry.options] })) ?? null,
  }
}

export function fieldToWire({ id, slug, label, type, usertype, isSystem, owner }: ContactField) {
  return { id, slug, label, type, usertype, is_system: isSystem, owner }
}
