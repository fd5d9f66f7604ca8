declare const classes: {
  readonly back: string
  readonly empty: string
  readonly group: string
  readonly input: string
  readonly item: string
  readonly list: string
  readonly palette: string
}
export default classes
