export const services = {
  title: 'Services',
  lead: 'Each has a key of its own, and customers connect to each by itself.',
  empty: 'There is no service yet. Customers connect to one.',
  name: 'Service',
  code: 'Code for customers',
  made: 'Made',
  make: 'New service',
}
