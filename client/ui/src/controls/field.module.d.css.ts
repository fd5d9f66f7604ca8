declare const classes: {
  readonly control: string
  readonly digits: string
  readonly field: string
  readonly fields: string
  readonly hint: string
  readonly label: string
  readonly mono: string
  readonly optional: string
  readonly problem: string
  readonly reveal: string
  readonly row: string
  readonly within: string
}
export default classes
