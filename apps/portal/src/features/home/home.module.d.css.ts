declare const classes: {
  readonly act: string
  readonly aside: string
  readonly bed: string
  readonly below: string
  readonly facts: string
  readonly failed: string
  readonly keys: string
  readonly lozenge: string
  readonly main: string
  readonly needs: string
  readonly over: string
  readonly part: string
  readonly ring: string
  readonly service: string
  readonly since: string
  readonly track: string
  readonly why: string
}
export default classes
