/** The catalogue: every signed-in user looks, the people at the counter write. */
export const catalogueAccess = { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" }

/** What concerns one customer is for that customer's eyes and the counter's. */
export const ofCustomer = "record.customer.pk == caller.pk || caller.has('ROLE_STAFF')"

export const atCounter = "caller.has('ROLE_STAFF')"
export const adminOnly = "caller.has('ROLE_ADMIN')"
