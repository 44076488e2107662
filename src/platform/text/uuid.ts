/** A UUID of any version, in lower case: the form of ids in the log, in the tables and, once read, from clients. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
