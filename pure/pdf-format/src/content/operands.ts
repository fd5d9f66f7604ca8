/** A value of a content stream, with the bytes that it takes: what is edited is replaced in place, the rest is kept. */
export type Operand = NumberOperand | StringOperand | NameOperand | ArrayOperand | DictOperand | ConstantOperand

/** `[start, end)` in the decoded content. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface NumberOperand extends ByteRange {
  readonly kind: 'number'
  readonly value: number
}

export interface StringOperand extends ByteRange {
  readonly kind: 'string'
  readonly bytes: Uint8Array
}

export interface NameOperand extends ByteRange {
  readonly kind: 'name'
  readonly name: string
}

export interface ArrayOperand extends ByteRange {
  readonly kind: 'array'
  readonly items: readonly Operand[]
}

/** Keys and values in turn, as written. */
export interface DictOperand extends ByteRange {
  readonly kind: 'dict'
  readonly items: readonly Operand[]
}

/** true, false, null. */
export interface ConstantOperand extends ByteRange {
  readonly kind: 'constant'
}

/** From its first operand up to the end of its name. An inline image is one operator, `BI`. */
export interface Operator extends ByteRange {
  readonly name: string
  readonly operands: readonly Operand[]
  /** Of `BI`. */
  readonly image?: InlineImage
}

/** Members in turn, and where the data is, with the white space around it. */
export interface InlineImage extends ByteRange {
  readonly members: readonly Operand[]
}

export function numberOf(operand: Operand | undefined): number {
  return operand?.kind === 'number' ? operand.value : 0
}

export function nameOf(operand: Operand | undefined): string | null {
  return operand?.kind === 'name' ? operand.name : null
}
