declare const classes: {
  readonly list: string
  readonly picked: string
  readonly search: string
  readonly state: string
}
export default classes
