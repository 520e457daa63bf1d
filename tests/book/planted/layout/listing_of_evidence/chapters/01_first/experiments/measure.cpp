// [measure]
int measured();
// [measure]
