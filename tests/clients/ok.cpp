// Says hello and ends well.
#include <cstdio>

int main()
{
    std::puts("all is well");
    return 0;
}
