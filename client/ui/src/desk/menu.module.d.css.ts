declare const classes: {
  readonly chevron: string
  readonly grave: string
  readonly item: string
  readonly line: string
  readonly menu: string
  readonly place: string
  readonly text: string
  readonly trigger: string
}
export default classes
