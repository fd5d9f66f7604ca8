declare const classes: {
  readonly about: string
  readonly change: string
  readonly icon: string
  readonly label: string
  readonly line: string
  readonly row: string
  readonly rows: string
  readonly since: string
  readonly text: string
}
export default classes
