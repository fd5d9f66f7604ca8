import Type from 'typebox'

/**
 * [Note: members checked by rules] A member whose faults have an error key of their own has a loose schema, so that a wrong
 * type gets that key and not `request.invalid`.
 */
export const checkedByRule = (description: string) => Type.Optional(Type.Unknown({ description }))
