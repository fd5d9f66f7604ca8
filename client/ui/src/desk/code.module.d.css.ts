declare const classes: {
  readonly acts: string
  readonly block: string
  readonly cover: string
  readonly groups: string
  readonly line: string
  readonly secret: string
}
export default classes
