declare const classes: {
  readonly act: string
  readonly close: string
  readonly toast: string
  readonly toasts: string
}
export default classes
