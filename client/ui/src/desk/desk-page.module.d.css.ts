declare const classes: {
  readonly acts: string
  readonly beside: string
  readonly body: string
  readonly crumbs: string
  readonly facts: string
  readonly head: string
  readonly lead: string
  readonly main: string
  readonly section: string
  readonly tabbed: string
  readonly tabs: string
  readonly title: string
}
export default classes
