declare const classes: {
  readonly bone: string
  readonly box: string
  readonly bulk: string
  readonly medium: string
  readonly more: string
  readonly narrow: string
  readonly number: string
  readonly open: string
  readonly scroll: string
  readonly table: string
  readonly tick: string
}
export default classes
