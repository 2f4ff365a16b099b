/** The symbolic link at the checkout's top that visitors come through. */
export const linkName = 'current';
