import Type, { type TOptional, type TSchema, type TUnknown } from 'typebox'

/**
 * [Note: members checked by rules] A member whose faults have an error key of their own has a loose schema, so that a wrong
 * type gets that key and not `request.invalid`. The documents and the SDK show the type that the rule accepts.
 */
export function checkedByRule(documented: TSchema): TUnknown {
  return Type.Unknown({ documented })
}

/** Like `checkedByRule`, for a member whose absence has that key too. */
export function requiredByRule(documented: TSchema): TOptional<TUnknown> {
  return Type.Optional(Type.Unknown({ documented, isRequired: true }))
}
